import '../styles/fonts.css';
import '../styles/tokens.css';
import '../styles/base.css';
import { mount } from 'svelte';
import Box from './Box.svelte';

const target = document.getElementById('app');
if (!target) throw new Error('box.html has no #app');

export default mount(Box, { target });

// A hidden page draws nothing, so what its first picture needs is made ready now.
for (const face of ['20px "Source Serif 4 Variable"', '500 13px "Geist Variable"']) void document.fonts.load(face);
void document.body.offsetHeight;
