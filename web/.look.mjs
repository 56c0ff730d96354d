import { chromium } from 'playwright-core';
import { AxeBuilder } from '@axe-core/playwright';
const base = process.env.BASE ?? 'http://127.0.0.1:5183';
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-dev-shm-usage','--disable-gpu'] });
const context = await browser.newContext({ baseURL: base });
const name = `hf.${Date.now().toString(36)}`;
const r = await context.request.post('/api/auth/register', { data: { username: name, password: 'correct horse', fullName: 'Lucía Fernández-Villanueva', headline: '3L at Manila', location: 'Manila' } });
console.log('register', r.status());
const { id } = await r.json();
const posts = await (await context.request.get('/api/posts')).json();
const jobs = await (await context.request.get('/api/jobs')).json();
const news = (await (await context.request.get('/api/news?page=1')).json()).articles;
const events = await (await context.request.get('/api/events')).json();
const comms = await (await context.request.get('/api/communities')).json();
const P = { post: `/posts/${posts[0]?.id}`, author: `/profile/${posts[0]?.user.id}`, job: `/jobs/${jobs[0]?.id}`, article: `/legal-news/${news[0]?.id}`, event: `/events/${events[0]?.id}`, comm: `/communities/${comms[0]?.id}` };
const page = await context.newPage();
const mode = process.argv[2];
const settle = async () => { await page.locator('h1').first().waitFor({state:'attached'}); await page.waitForFunction(() => !document.querySelector('[role=status]')); await page.waitForLoadState('networkidle').catch(()=>{}); };
if (mode === 'composer') {
  await page.goto('/'); await page.evaluate(() => localStorage.setItem('i18nextLng', 'fil'));
  for (const w of [320, 360, 768, 1280]) { await page.setViewportSize({ width: w, height: 900 }); await page.goto('/'); await settle(); await page.screenshot({ path: `/tmp/look/fil-home-${w}.png` });
    const row = await page.evaluate(() => { const s = document.querySelector('section.card'); const b = [...s.querySelectorAll('.btn')].map(x => ({t:x.textContent, l:Math.round(x.getBoundingClientRect().left), r:Math.round(x.getBoundingClientRect().right), h:x.getBoundingClientRect().height, sw: x.scrollWidth, cw:x.clientWidth})); return { right: s.getBoundingClientRect().right, left: s.getBoundingClientRect().left, b }; }); console.log(w, JSON.stringify(row)); }
} else if (mode === 'axe') {
  const paths = (process.argv[3] ?? '').split(',').filter(Boolean);
  const all = paths.length ? paths : ['/', '/network','/network?tab=suggestions','/messages','/notifications','/jobs','/jobs?tab=applications','/resources','/legal-news','/search?q=law','/saved-items',`/profile/${id}`,'/settings','/communities','/events','/status','/about','/brand', ...Object.values(P)];
  for (const lang of ['en','fil']) for (const w of lang==='en'?[1280]:[360]) { await page.setViewportSize({ width: w, height: 900 }); await page.goto('/'); await page.evaluate((l) => localStorage.setItem('i18nextLng', l), lang);
    for (const p of all) { await page.goto(p); await settle();
      const { violations } = await new AxeBuilder({ page }).setLegacyMode().options({ resultTypes:['violations'], runOnly: {type:'rule', values:['label-content-name-mismatch','target-size']} }).analyze();
      for (const v of violations) for (const n of v.nodes) console.log(lang, w, p, v.id, n.html.slice(0, 220).replace(/\n/g,' '), '|', (n.failureSummary||'').split('\n').slice(1).join(' ').slice(0,200)); } }
} else if (mode === 'print') {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await page.setViewportSize({ width: 794, height: 1123 });
  for (const [k, p] of Object.entries({ ...P, events: '/events', home: '/' })) { await page.goto(p); await settle(); await page.screenshot({ path: `/tmp/look/print-${k}.png`, fullPage: true }); }
} else if (mode === 'shots') {
  for (const p of process.argv[3].split(',')) for (const w of [360, 768, 1280]) { await page.setViewportSize({ width: w, height: 900 }); await page.goto(P[p] ?? p); await settle(); await page.screenshot({ path: `/tmp/look/shot-${p.replace(/\W+/g,'_')}-${w}.png` }); }
}
await browser.close();
