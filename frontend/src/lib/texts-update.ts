/** What is said of newer versions. */
export const updateTexts = {
  label: 'Look for new versions',
  help: 'Once a day one address is asked for one signed line. Nothing about you goes along, and nothing is downloaded.',
  question: 'May Footnote look for new versions?',
  yes: 'Yes, once a day',
  no: 'No',
  there: (version: string) => `Footnote ${version} is there.`,
  reason: (date: string, running: string) => `It was published on ${date}; this is ${running}. Your files and answers stay as they are.`,
  page: 'What is new, and where to get it',
  none: (at: string) => `This is the newest version, as of ${at}.`,
  look: 'Look now',
  looking: 'Looking…',
};
