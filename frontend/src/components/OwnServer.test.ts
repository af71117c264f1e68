import { fireEvent, render, screen } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import { backend } from '../api';
import OwnServer from './OwnServer.svelte';

type Adding = (name: string, url: string, key: string) => Promise<{ models: number } | { fault: { message: string; hint: string } }>;

async function add(onadd: Adding, name: string, url: string) {
  vi.spyOn(backend, 'desktop', 'get').mockReturnValue(true);
  render(OwnServer, { onadd });
  await fireEvent.input(screen.getByLabelText('Name'), { target: { value: name } });
  await fireEvent.input(screen.getByLabelText('Address'), { target: { value: url } });
  await fireEvent.click(screen.getByRole('button', { name: 'Add and test' }));
}

describe('A server of one’s own', () => {
  it('says how many models it has, and is ready for another', async () => {
    const onadd = vi.fn<Adding>(async () => ({ models: 2 }));
    await add(onadd, ' Office ', ' http://10.0.0.2/v1 ');
    expect(onadd).toHaveBeenCalledWith('Office', 'http://10.0.0.2/v1', '');
    expect((await screen.findByRole('status')).textContent).toBe('Office answers and has 2 models to choose above.');
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('');
  });

  it('says why it does not answer, and keeps what was typed', async () => {
    await add(async () => ({ fault: { message: 'Nothing answers there.', hint: 'Start it.' } }), 'Office', 'http://10.0.0.2');
    expect((await screen.findByRole('status')).textContent).toBe('Nothing answers there. Start it.');
    expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('http://10.0.0.2');
  });
});
