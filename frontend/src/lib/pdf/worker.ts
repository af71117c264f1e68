/** The half of pdf.js that parses, off the page's thread. */
import './polyfill';
import 'pdfjs-dist/legacy/build/pdf.worker.min.mjs';
