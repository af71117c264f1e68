/** Sample event logs for tests, in the form of the wire. */
import type { RunEvent } from '../../api/events';
import answered from './answered.json';
import doubt from './doubt.json';
import extracted from './extracted.json';
import failed from './failed.json';
import noEvidence from './no-evidence.json';
import research from './research.json';
import stopped from './stopped.json';

export const logs = { answered, doubt, extracted, failed, 'no-evidence': noEvidence, research, stopped } as unknown as Record<
  'answered' | 'doubt' | 'extracted' | 'failed' | 'no-evidence' | 'research' | 'stopped', RunEvent[]
>;
