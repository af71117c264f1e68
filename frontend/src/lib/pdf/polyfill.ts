/**
 * WebKit has no async iteration of streams, and pdf.js iterates over them.
 * Imported for its effect before pdf.js, on the page and in its worker.
 */
type Parts = { [Symbol.asyncIterator]?: (this: ReadableStream<unknown>) => AsyncGenerator<unknown> };

(ReadableStream.prototype as Parts)[Symbol.asyncIterator] ??= async function* (this: ReadableStream<unknown>) {
  const reader = this.getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } finally {
    reader.releaseLock();
  }
};
