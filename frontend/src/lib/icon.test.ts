import Ellipsis from '@lucide/svelte/icons/ellipsis';
import Mail from '@lucide/svelte/icons/mail';
import { mount } from 'svelte';
import { expect, it } from 'vitest';
import { iconIn } from './icon';

it('puts the icon that its component draws into every element', () => {
  const plain = document.createElement('div');
  mount(Mail, { target: plain });
  const [one, other] = [document.createElement('span'), document.createElement('span')];
  iconIn(one, Mail);
  iconIn(other, Mail);
  expect(one.firstElementChild?.outerHTML).toBe(plain.firstElementChild?.outerHTML);
  expect(other.innerHTML).toBe(one.innerHTML);
  expect(one.querySelectorAll('svg > *').length).toBeGreaterThan(0);
});

it('takes another icon in its place', () => {
  const element = document.createElement('span');
  const place = iconIn(element, Mail);
  const first = element.innerHTML;
  place.update(Ellipsis);
  expect(element.children).toHaveLength(1);
  expect(element.innerHTML).not.toBe(first);
});
