import { backend } from '../api';
import type { ExportFormat } from '../api/types';
import { app } from './app.svelte';
import { answerTexts } from '../lib/texts-answer';

/** Takes a thread, or one run of it, away as a file, and says what the file cannot show. */
export async function take(id: string, format: ExportFormat, run?: string): Promise<void> {
  try {
    await backend.exportThread(id, format, run);
    const lacking = format === 'pdf' ? await backend.lackingScripts(id, run) : [];
    if (lacking.length) app.say(answerTexts.export.lacking(lacking));
  } catch (error) {
    app.sayFault(error);
  }
}
