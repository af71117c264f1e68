/** What sets formulas, with its letters: a part of the program that is fetched when it is needed. */
import 'katex/dist/katex.min.css';
import katex from 'katex';

export { katex };
