// The Edit Profile dialog: the rules and texts of section 5, the requests of section 7, the errors of section 8.
import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Experience, ProfileView } from '@/api/schema.gen';
import { postOf } from '@/testing/posts';
import { renderApp } from '@/testing/render-app';
import { isabel, problem, profileOf, server, signedInAs } from '@/testing/server';

const experience: Experience = {
  id: 'x1',
  title: 'Legal intern',
  company: 'Metro Legal Aid',
  startDate: '2026-06',
  endDate: '2026-08',
  isCurrentPosition: false,
  description: null,
  location: 'Manila',
};
const study = {
  id: 's1',
  institution: 'Manila College of Law',
  degree: 'J.D.',
  fieldOfStudy: null,
  startDate: '2024-08',
  endDate: null,
  description: 'Moot court board',
};

let known: ProfileView;
let sent: { method: string; id: unknown; body: Record<string, unknown> }[];

beforeEach(() => {
  sent = [];
  known = profileOf({ ...isabel, website: 'https://isabel.example' });
  known.profile = {
    ...known.profile,
    bio: 'Oralist.',
    experiences: [experience, { ...experience, id: 'x2', company: 'Law Review', title: 'Editor' }],
    education: [study],
    skills: ['Moot court'],
  };
  known.stats = { profileViews: 3, postImpressions: 12, connections: 1 };
  signedInAs(known.user);
  server.use(
    http.get('/api/users/:id/profile', () => HttpResponse.json(known)),
    http.patch('/api/users/:id', async ({ request, params }) => {
      const body = (await request.json()) as Record<string, string>;
      sent.push({ method: 'PATCH', id: params.id, body });
      known = { ...known, user: { ...known.user, ...body } };
      return HttpResponse.json(known.user);
    }),
    http.put('/api/users/:id/profile', async ({ request, params }) => {
      const body = (await request.json()) as ProfileView['profile'];
      sent.push({ method: 'PUT', id: params.id, body: { ...body } });
      const { stats: _, ...answer } = { ...known, profile: body };
      known = { ...known, ...answer };
      return HttpResponse.json(answer);
    }),
  );
});

async function open(button = 'Edit Profile', language: 'en' | 'fil' = 'en') {
  const opened = await renderApp(`/profile/${isabel.id}`, { language });
  await opened.user.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  const { user } = opened;
  return {
    ...opened,
    dialog,
    save: () => user.click(dialog.getByRole('button', { name: /^(Save|I-save)$/ })),
    tab: (name: string) => user.click(dialog.getByRole('tab', { name })),
    fill: async (field: string, text: string) => {
      await user.clear(dialog.getByLabelText(field));
      if (text) await user.type(dialog.getByLabelText(field), text);
    },
  };
}

const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());

test('an unchanged form sends exactly the bodies of section 7, PATCH before PUT', async () => {
  const { save } = await open();
  await save();
  await closed();
  expect(sent).toEqual([
    {
      method: 'PATCH',
      id: isabel.id,
      body: {
        avatarUrl: '',
        fullName: 'Isabel Reyes',
        headline: '3L at Manila College of Law',
        location: 'Manila, Philippines',
      },
    },
    {
      method: 'PUT',
      id: isabel.id,
      body: {
        userId: isabel.id,
        bio: 'Oralist.',
        experiences: [experience, { ...experience, id: 'x2', company: 'Law Review', title: 'Editor' }],
        education: [study],
        skills: ['Moot court'],
      },
    },
  ]);
});

test('changes appear on the profile, in the header and in the lists without a reload', async () => {
  let reads = 0;
  server.use(
    http.get('/api/posts', () => {
      reads += 1;
      return HttpResponse.json([postOf({ user: { ...known.user, headline: null } })]);
    }),
  );
  const { dialog, fill, save, user } = await open();
  await fill('Full Name', '  Isabel Maria Santos ');
  await fill('Headline', '');
  await fill('Location', 'Cebu');
  await fill('Bio', 'Clerk to be.');
  await fill('Website', 'https://santos.example');
  await fill('LinkedIn', 'https://www.linkedin.com/in/santos');
  expect(dialog.getByRole('button', { name: 'Save' })).toBeEnabled();
  await save();
  await closed();
  expect(await screen.findByText('Profile updated')).toBeVisible();
  expect(screen.getByText('Your profile has been updated successfully.')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1, name: 'Isabel Maria Santos' })).toBeVisible();
  expect(screen.getByText('Cebu')).toBeVisible();
  expect(screen.getByText('Clerk to be.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'LinkedIn' })).toBeVisible();
  expect(screen.getByRole('img', { name: 'Isabel Maria Santos' })).toHaveTextContent('IS');
  await waitFor(() => expect(reads).toBe(2));
  expect(sent[0]?.body).toEqual({
    avatarUrl: '',
    fullName: 'Isabel Maria Santos',
    headline: '',
    location: 'Cebu',
    website: 'https://santos.example',
    linkedin: 'https://www.linkedin.com/in/santos',
  });
  // The counters were not part of the response and stay.
  await user.click(screen.getAllByRole('link', { name: 'Home' })[0] as HTMLElement);
  expect(await screen.findByText('12')).toBeVisible();
});

test('Cancel sends nothing and discards the input', async () => {
  const { dialog, fill, user } = await open();
  await fill('Full Name', 'Another Member');
  await user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await closed();
  expect(sent).toEqual([]);
  await user.click(screen.getByRole('button', { name: 'Edit Profile' }));
  expect(await screen.findByLabelText('Full Name')).toHaveValue('Isabel Reyes');
});

describe('basic info', () => {
  test.each([
    ['Full Name', 'I', 'Full name must be at least 2 characters'],
    ['Full Name', 'x'.repeat(101), 'Must be at most 100 characters'],
    ['Website', 'isabel.example', 'This must be a link that starts with http:// or https://.'],
    ['Website', 'javascript:alert(1)', 'This must be a link that starts with http:// or https://.'],
    ['LinkedIn', 'https://me:pw@linkedin.com', 'This must be a link that starts with http:// or https://.'],
  ])('%s %s', async (field, text, sentence) => {
    const { dialog, fill, save } = await open();
    await fill(field, text);
    await save();
    expect(await dialog.findByText(sentence)).toBeVisible();
    expect(dialog.getByLabelText(field)).toHaveAccessibleDescription(sentence);
    expect(dialog.getByLabelText(field)).toHaveFocus();
    expect(sent).toEqual([]);
  });

  test('emptying the website removes it', async () => {
    const { fill, save } = await open();
    await fill('Website', '');
    await save();
    await closed();
    expect(sent[0]?.body).toHaveProperty('website', '');
    expect(screen.queryByRole('link', { name: 'Website' })).not.toBeInTheDocument();
  });
});

describe('school, year, jurisdictions and interests', () => {
  test('are sent only if changed', async () => {
    const { dialog, user, fill, save } = await open();
    await fill('School', 'Yale Law School');
    await fill('Graduation Year', '2028');
    await user.selectOptions(dialog.getByLabelText('Jurisdictions'), 'New York');
    await user.selectOptions(dialog.getByLabelText('Jurisdictions'), 'Philippines');
    await user.click(dialog.getByRole('button', { name: 'Remove New York' }));
    await user.click(dialog.getByRole('checkbox', { name: 'Human rights' }));
    await save();
    await closed();
    expect(sent[0]?.body).toMatchObject({
      school: 'Yale Law School',
      graduationYear: '2028',
      jurisdictions: ['ph'],
      interests: ['human-rights'],
    });
    const card = within(screen.getByRole('region', { name: 'Jurisdictions and interests' }));
    expect(card.getByText('Philippines')).toBeVisible();
    expect(card.getByText('Human rights')).toBeVisible();
  });

  test.each(['1949', '99999', 'soon'])('the year %s is refused', async (year) => {
    const { dialog, fill, save } = await open();
    await fill('Graduation Year', year);
    await save();
    const sentence = `Enter a year from 1950 to ${new Date().getFullYear() + 10}.`;
    expect(await dialog.findByText(sentence)).toBeVisible();
    expect(dialog.getByLabelText('Graduation Year')).toHaveFocus();
    expect(sent).toEqual([]);
  });

  test('another text from the registration stays valid while it is unchanged', async () => {
    known.user = { ...known.user, graduationYear: 'May 2027' };
    const { save } = await open();
    await save();
    await closed();
    expect(sent[0]?.body).not.toHaveProperty('graduationYear');
  });

  test('Esc closes the list of schools and not the dialog', async () => {
    const { dialog, user } = await open();
    const field = dialog.getByRole('combobox', { name: 'School' });
    await user.clear(field);
    await user.type(field, 'yale');
    expect(await dialog.findByRole('option', { name: 'Yale Law School' })).toBeVisible();
    await user.keyboard('{Escape}');
    expect(dialog.queryByRole('listbox')).toBeNull();
    expect(screen.getByRole('dialog')).toBeVisible();
  });
});

describe('experience', () => {
  test('a new entry needs title, company and start date, on every tab', async () => {
    const { dialog, user, save, tab } = await open('Edit Experience');
    await user.click(dialog.getByRole('button', { name: 'Add experience' }));
    await tab('Skills');
    await save();
    expect(await dialog.findByText('Title is required')).toBeVisible();
    expect(dialog.getByText('Company is required')).toBeVisible();
    expect(dialog.getByText('Start date is required')).toBeVisible();
    const added = within(dialog.getByRole('group', { name: 'New experience' }));
    expect(added.getByLabelText('Title')).toHaveFocus();
    expect(sent).toEqual([]);
  });

  test('I currently work here disables the end date, which is then not sent', async () => {
    const { dialog, user, save } = await open('Edit Experience');
    const first = within(dialog.getByRole('group', { name: 'Metro Legal Aid' }));
    const current = first.getByLabelText('I currently work here');
    expect(first.getByLabelText('End Date')).toBeEnabled();
    await user.click(current);
    expect(first.getByLabelText('End Date')).toBeDisabled();
    expect(first.getByLabelText('End Date')).toHaveValue('Present');
    await user.click(current);
    expect(first.getByLabelText('End Date')).toHaveValue('2026-08');
    await user.click(current);
    await save();
    await closed();
    expect(sent[1]?.body.experiences).toMatchObject([
      { id: 'x1', isCurrentPosition: true, endDate: null },
      { id: 'x2', isCurrentPosition: false, endDate: '2026-08' },
    ]);
  });

  test('an end before the start is refused', async () => {
    const { dialog, fill, save, user } = await open('Edit Experience');
    await user.click(dialog.getByRole('button', { name: 'Remove Law Review' }));
    await fill('End Date', '2026-01');
    await save();
    expect(await dialog.findByText('End date must not be before the start date')).toBeVisible();
    expect(sent).toEqual([]);
  });

  test('entries are added, moved and removed by keyboard with a sensible focus', async () => {
    const { dialog, user, save } = await open('Edit Experience');
    dialog.getByRole('button', { name: 'Move Law Review up' }).focus();
    await user.keyboard('{Enter}');
    expect(dialog.getByText('Law Review is now 1 of 2')).toBeInTheDocument();
    expect(dialog.getByRole('button', { name: 'Move Law Review up' })).toHaveFocus();
    // Already first: nothing happens.
    await user.keyboard('{Enter}');
    dialog.getByRole('button', { name: 'Remove Metro Legal Aid' }).focus();
    await user.keyboard('{Enter}');
    expect(dialog.getByRole('button', { name: 'Add experience' })).toHaveFocus();
    await user.keyboard('{Enter}');
    const added = within(dialog.getByRole('group', { name: 'New experience' }));
    expect(added.getByLabelText('Title')).toHaveFocus();
    await user.keyboard('Clerk{Tab}Court of Appeals');
    await user.type(added.getByLabelText('Start Date'), '2026-09');
    await save();
    await closed();
    expect(sent[1]?.body.experiences).toEqual([
      { ...experience, id: 'x2', company: 'Law Review', title: 'Editor' },
      {
        title: 'Clerk',
        company: 'Court of Appeals',
        location: null,
        startDate: '2026-09',
        endDate: null,
        isCurrentPosition: false,
        description: null,
      },
    ]);
  });
});

test('education: institution, degree and start date are needed', async () => {
  const { dialog, user, save, fill } = await open('Edit Education');
  await user.click(dialog.getByRole('button', { name: 'Remove Manila College of Law' }));
  await user.click(dialog.getByRole('button', { name: 'Add education' }));
  await save();
  expect(await dialog.findByText('Institution is required')).toBeVisible();
  expect(dialog.getByText('Degree is required')).toBeVisible();
  expect(dialog.getByText('Start date is required')).toBeVisible();
  await fill('Institution', 'Eastbay School of Law');
  await fill('Degree', 'LL.M.');
  await fill('Field of Study', 'Labor law');
  await fill('Start Date', '2027-08');
  await save();
  await closed();
  expect(sent[1]?.body.education).toEqual([
    {
      institution: 'Eastbay School of Law',
      degree: 'LL.M.',
      fieldOfStudy: 'Labor law',
      startDate: '2027-08',
      endDate: null,
      description: null,
    },
  ]);
});

describe('skills', () => {
  test('Enter adds a trimmed skill; empty ones and duplicates are ignored; a chip can be removed', async () => {
    const { dialog, user, save, tab } = await open();
    await tab('Skills');
    const field = dialog.getByLabelText('Add a skill');
    await user.type(field, '  Legal research {Enter}');
    await user.type(field, '   {Enter}');
    await user.type(field, 'moot COURT{Enter}');
    await user.type(field, 'Writing{Enter}');
    const list = within(dialog.getByRole('list', { name: 'Skills' }));
    expect(list.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      'Moot court',
      'Legal research',
      'Writing',
    ]);
    expect(field).toHaveValue('');
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Remove Writing' }));
    expect(field).toHaveFocus();
    await save();
    await closed();
    expect(sent[1]?.body.skills).toEqual(['Moot court', 'Legal research']);
  });

  test('Save adds a skill that is typed without Enter', async () => {
    const { dialog, user, save, tab } = await open();
    await tab('Skills');
    await user.type(dialog.getByLabelText('Add a skill'), ' Legal research ');
    await save();
    await closed();
    expect(sent[1]?.body.skills).toEqual(['Moot court', 'Legal research']);
  });

  test('at most fifty', async () => {
    known.profile.skills = Array.from({ length: 50 }, (_, nr) => `Skill ${nr}`);
    const { dialog, user, tab } = await open();
    await tab('Skills');
    expect(dialog.getByText('A profile can have at most 50 skills.')).toBeVisible();
    await user.type(dialog.getByLabelText('Add a skill'), 'One more{Enter}');
    expect(dialog.getAllByRole('listitem')).toHaveLength(50);
    await user.click(dialog.getByRole('button', { name: 'Remove Skill 7' }));
    await user.keyboard('{Enter}');
    expect(dialog.getAllByRole('listitem')).toHaveLength(50);
  });
});

describe('a save that fails', () => {
  const away = () => problem(503, { error: 'Please try again soon' });

  test('in the first request: both sentences, the reason, and the input stays', async () => {
    server.use(http.patch('/api/users/:id', away));
    const { dialog, fill, save } = await open();
    await fill('Full Name', 'Isabel Santos');
    await save();
    expect(
      await screen.findByText('Failed to update profile: Failed to update user information'),
    ).toBeVisible();
    expect(screen.getByText('Error')).toBeVisible();
    const panel = within(dialog.getByRole('alert'));
    expect(panel.getByText('Failed to update user information')).toBeVisible();
    expect(panel.getByText('503: Please try again soon')).toBeVisible();
    expect(dialog.getByLabelText('Full Name')).toHaveValue('Isabel Santos');
    expect(sent).toEqual([]);
    expect(screen.getByText('Isabel Reyes', { selector: 'h1' })).toBeInTheDocument();

    server.resetHandlers();
    signedInAs(known.user);
    server.use(
      http.patch('/api/users/:id', () => HttpResponse.json({ ...known.user, fullName: 'Isabel Santos' })),
      http.put('/api/users/:id/profile', () => HttpResponse.json(known)),
    );
    await save();
    await closed();
  });

  test('in the second request: the first part is saved and shown, the rest stays in the form', async () => {
    server.use(http.put('/api/users/:id/profile', away));
    const { dialog, fill, save } = await open();
    await fill('Full Name', 'Isabel Santos');
    await fill('Bio', 'Clerk to be.');
    await save();
    expect(
      await screen.findByText('Failed to update profile: Failed to update profile information'),
    ).toBeVisible();
    expect(dialog.getByLabelText('Bio')).toHaveValue('Clerk to be.');
    expect(screen.getByText('Isabel Santos', { selector: 'h1' })).toBeInTheDocument();
  });

  test('a request without a response has the same sentence', async () => {
    server.use(http.patch('/api/users/:id', () => HttpResponse.error()));
    const { dialog, save } = await open();
    await save();
    expect(
      await screen.findByText('Failed to update profile: Failed to update user information'),
    ).toBeVisible();
    expect(dialog.queryByRole('alert')).not.toBeInTheDocument();
  });

  test('the server’s errors are at their fields, and the tab of the first one opens', async () => {
    server.use(
      http.put('/api/users/:id/profile', () =>
        problem(400, {
          error: 'Company is required',
          fields: {
            'education[0].degree': 'This degree is unheard of.',
            'experiences[1].company': 'This company is unheard of.',
            'skills[0]': 'This skill is unheard of.',
          },
        }),
      ),
    );
    const { dialog, save, tab } = await open();
    await save();
    expect(await dialog.findByText('This company is unheard of.')).toBeVisible();
    const second = within(dialog.getByRole('group', { name: 'Law Review' }));
    expect(second.getByLabelText('Company')).toHaveAccessibleDescription('This company is unheard of.');
    expect(second.getByLabelText('Company')).toHaveFocus();
    await tab('Education');
    expect(dialog.getByText('This degree is unheard of.')).toBeVisible();
    await tab('Skills');
    expect(dialog.getByText('This skill is unheard of.')).toBeVisible();
  });

  test('a refused website is shown at its field', async () => {
    server.use(
      http.patch('/api/users/:id', () =>
        problem(400, {
          error: 'No such link',
          fields: { website: 'No such link', avatarUrl: 'No such photo' },
        }),
      ),
    );
    const { dialog, save } = await open('Edit Experience');
    await save();
    expect(await dialog.findByText('No such photo')).toBeVisible();
    expect(dialog.getByLabelText('Website')).toHaveAccessibleDescription('No such link');
  });
});

test('is translated to Filipino', async () => {
  const { dialog, fill, save } = await open('I-edit ang Profile', 'fil');
  await fill('Buong Pangalan', 'I');
  await save();
  expect(await dialog.findByText('Hindi dapat bababa sa 2 karakter ang buong pangalan')).toBeVisible();
});
