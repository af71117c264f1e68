/** The catalogue of what people of a team share. */
import { plural } from './format';

export const sharingTexts = {
  share: 'Share with the team',
  shareText: 'Each sees of its answers what they may read themselves. Sharing ends at once when you take it back.',
  name: 'Name of a person or group',
  give: 'Share',
  link: 'Make a link for the team',
  linkOnce: 'The link is shown only now. Whoever of the team has it sees this conversation.',
  byLink: 'Whoever has the link',
  group: (name: string) => `${name} (group)`,
  take: 'Take back',
  takeFrom: (name: string) => `Take back from ${name}`,
  close: 'Close',
  title: 'Shared with me',
  lead: 'Conversations of others. An answer is whole where you may read all that it rests on.',
  none: 'Nobody shares a conversation with you.',
  from: (name: string, runs: number) => `${name}, ${plural(runs, 'question', 'questions')}`,
  ask: 'Ask further in a copy',
  save: 'Save as Markdown',
  running: 'This question is being answered.',
};
