// The emoji picker: search in both languages, keyboard, and insertion at the caret.
import { fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { useState } from 'react';
import { beforeEach, describe, expect, test } from 'vitest';
import { startI18n } from '@/i18n/i18n';
import { EmojiButton } from './emoji-button';
import { searchEmoji } from './emoji-search';
import { insertText } from './insert-text';

startI18n();
beforeEach(() => i18next.changeLanguage('en'));

function Field(limits: { maxLength?: number; readOnly?: boolean }) {
  const [text, setText] = useState('Hi  there');
  return (
    <>
      <textarea
        id="field"
        aria-label="Post"
        {...limits}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <EmojiButton fieldId="field" />
    </>
  );
}

async function open() {
  const user = userEvent.setup();
  render(<Field />);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Post' });
  field.setSelectionRange(3, 3);
  await user.click(screen.getByRole('button', { name: 'Add an emoji' }));
  return { user, field, panel: within(await screen.findByRole('dialog', { name: 'Emoji' })) };
}

const found = (query: string) => searchEmoji(query).flatMap(({ emoji }) => emoji.map(({ char }) => char));

describe('the search', () => {
  test.each([
    ['balance scale', '⚖️'],
    ['timbangan', '⚖️'],
    ['puso', '❤️'],
    ['HEART', '❤️'],
    ['philippines', '🇵🇭'],
    ['pilipinas', '🇵🇭'],
    ['graduation', '🎓'],
  ])('finds %s', (query, char) => expect(found(query)).toContain(char));

  test('needs every word, at the beginning of a word', () => {
    expect(found('red heart')).toContain('❤️');
    expect(found('red heart')).not.toContain('💙');
    expect(found('eart')).not.toContain('❤️');
    expect(found('xyzzy')).toEqual([]);
  });

  test('lists every emoji once', () => {
    const all = found('');
    expect(all.length).toBeGreaterThan(400);
    expect(new Set(all).size).toBe(all.length);
  });
});

describe('the picker', () => {
  test('inserts the pressed emoji at the caret and returns the focus to the field', async () => {
    const { user, field, panel } = await open();
    await user.type(panel.getByRole('searchbox', { name: 'Search emoji' }), 'puso pula');
    await user.click(panel.getByRole('gridcell', { name: 'red heart' }));
    expect(field).toHaveValue('Hi ❤️ there');
    expect(field).toHaveFocus();
    expect(field.selectionStart).toBe(5);
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  test('is walked with the arrow keys, one stop for Tab', async () => {
    const { user, field, panel } = await open();
    const cells = panel.getAllByRole('gridcell');
    expect(cells.filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
    await user.click(panel.getByRole('searchbox'));
    await user.keyboard('{ArrowDown}');
    expect(cells[0]).toHaveFocus();
    await user.keyboard('{ArrowRight}{ArrowDown}');
    expect(cells[9]).toHaveFocus();
    await user.keyboard('{ArrowUp}{ArrowLeft}{End}{ArrowRight}');
    expect(cells[8]).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(field.value).toMatch(/^Hi .+ there$/u);
  });

  test('inserts the first match by Enter, and nothing by Escape', async () => {
    const { user, field, panel } = await open();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(field).toHaveValue('Hi  there');
    await user.click(screen.getByRole('button', { name: 'Add an emoji' }));
    void panel;
    const again = within(await screen.findByRole('dialog', { name: 'Emoji' }));
    await user.type(again.getByRole('searchbox'), 'balance scale{Enter}');
    expect(field).toHaveValue('Hi ⚖️ there');
  });

  test('has Filipino names', async () => {
    await i18next.changeLanguage('fil');
    const user = userEvent.setup();
    render(<Field />);
    await user.click(screen.getByRole('button', { name: 'Magdagdag ng emoji' }));
    const panel = within(await screen.findByRole('dialog', { name: 'Emoji' }));
    await user.type(panel.getByRole('searchbox', { name: 'Maghanap ng emoji' }), 'red heart');
    expect(panel.getByRole('gridcell', { name: 'pulang puso' })).toBeVisible();
  });
});

test('nothing is inserted into a read-only field', () => {
  render(<Field readOnly />);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox');
  insertText(field, '😀');
  expect(field).toHaveValue('Hi  there');
});

test('text that would exceed the limit of the field is not inserted', () => {
  render(<Field maxLength={9} />);
  const field = screen.getByRole<HTMLTextAreaElement>('textbox');
  field.setSelectionRange(3, 3);
  insertText(field, '😀');
  expect(field).toHaveValue('Hi  there');
  field.setSelectionRange(0, 2);
  insertText(field, '😀');
  expect(field).toHaveValue('😀  there');
  fireEvent.blur(field);
});
