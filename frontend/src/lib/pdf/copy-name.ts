/** The name under which a copy with highlights is saved: "Policy, highlighted.pdf". */
export const copyName = (name: string): string => `${name.replace(/\.pdf$/i, '') || 'Document'}, highlighted.pdf`;
