/** The page that draws diagrams: it takes their source and gives pictures back, to its own window alone. */
import mermaid from 'mermaid';
import { pictureOf } from '../lib/markdown/picture';

interface Asked {
  diagram: number;
  source: string;
}

mermaid.initialize({
  startOnLoad: false, securityLevel: 'strict', htmlLabels: false, flowchart: { htmlLabels: false }, theme: 'neutral', suppressErrorRendering: true,
  maxTextSize: 12_000, maxEdges: 300, deterministicIds: true, fontFamily: 'system-ui, -apple-system, "Segoe UI", sans-serif',
  secure: ['secure', 'securityLevel', 'startOnLoad', 'maxTextSize', 'maxEdges', 'suppressErrorRendering', 'htmlLabels', 'flowchart', 'fontFamily', 'themeCSS', 'dompurifyConfig'],
});

const above = window.parent;

async function answer({ diagram, source }: Asked): Promise<void> {
  try {
    const { svg } = await mermaid.render(`d${diagram}`, source);
    above.postMessage({ diagram, drawing: pictureOf(svg) ?? undefined }, '*');
  } catch {
    above.postMessage({ diagram }, '*'); // its source is shown instead
  }
  document.querySelectorAll('body > :not(script)').forEach((left) => left.remove());
}

let last = Promise.resolve();
window.addEventListener('message', (event: MessageEvent<Asked>) => {
  if (event.source === above && above !== window) last = last.then(() => answer(event.data));
});
if (above !== window) above.postMessage('ready', '*');
