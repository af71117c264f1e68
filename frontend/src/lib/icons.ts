/** The icon of each focus and of each amount of work. */
import type { Component } from 'svelte';
import BookOpen from '@lucide/svelte/icons/book-open';
import Calculator from '@lucide/svelte/icons/calculator';
import ClipboardCheck from '@lucide/svelte/icons/clipboard-check';
import Folder from '@lucide/svelte/icons/folder';
import Footprints from '@lucide/svelte/icons/footprints';
import Globe from '@lucide/svelte/icons/globe';
import GraduationCap from '@lucide/svelte/icons/graduation-cap';
import Layers from '@lucide/svelte/icons/layers';
import MessagesSquare from '@lucide/svelte/icons/messages-square';
import PenLine from '@lucide/svelte/icons/pen-line';
import Play from '@lucide/svelte/icons/play';
import Scale from '@lucide/svelte/icons/scale';
import Zap from '@lucide/svelte/icons/zap';
import type { Focus } from '../api/types';
import type { Work } from './commands';

export const focusIcon: Record<Focus, Component> = {
  all: Layers, web: Globe, local: Folder, academic: GraduationCap, video: Play, community: MessagesSquare,
  compute: Calculator, writing: PenLine,
};

export const workIcon: Record<Work, Component> = {
  balanced: Scale, speed: Zap, agent: Footprints, deep: BookOpen, 'due-diligence': ClipboardCheck,
};

/** The tint of a mode: deep blue, due diligence plum, agent green, speed ochre. */
export const workTint: Record<Work, string> = {
  balanced: '', speed: 'ochre', agent: 'green', deep: 'blue', 'due-diligence': 'plum',
};
