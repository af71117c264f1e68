/** The icon of a file, by its name. */
import type { Component } from 'svelte';
import BookOpen from '@lucide/svelte/icons/book-open';
import FileCode from '@lucide/svelte/icons/file-code';
import FileImage from '@lucide/svelte/icons/file-image';
import FileText from '@lucide/svelte/icons/file-text';
import FileType from '@lucide/svelte/icons/file-type';
import Mail from '@lucide/svelte/icons/mail';
import Presentation from '@lucide/svelte/icons/presentation';
import Table2 from '@lucide/svelte/icons/table-2';

const kinds: [RegExp, Component][] = [
  [/\.(csv|tsv|xls[xmb]?|xlt[xm]|ods|ots|numbers)$/i, Table2],
  [/\.(md|txt|doc[xm]?|dot[xm]|odt|ott|rtf|pages)$/i, FileType],
  [/\.(ppt[xm]?|pps[xm]?|odp|otp|key)$/i, Presentation],
  [/\.(epub|mobi|azw3)$/i, BookOpen],
  [/\.(eml|msg|mbox)$/i, Mail],
  [/\.(png|jpe?g|gif|heic|webp|tiff?)$/i, FileImage],
  [/\.(html?|xml|json|ipynb|go|py|js|ts)$/i, FileCode],
];

export const fileIcon = (name: string): Component => kinds.find(([pattern]) => pattern.test(name))?.[1] ?? FileText;
