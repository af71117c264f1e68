import '../styles/fonts.css';
import '../styles/tokens.css';
import '../styles/base.css';
import { mount } from 'svelte';
import Box from './Box.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('box.html has no #app');

export default mount(Box, { target });
