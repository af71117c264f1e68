import './styles/fonts.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/print.css';
import { flushSync, mount } from 'svelte';
import App from './App.svelte';
import { typed } from './stores/typed.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('index.html has no #app');

const app = mount(App, { target });
flushSync(); // the box of the screen is there to take it
typed.keep(window.typedEarly?.() ?? '');

export default app;
