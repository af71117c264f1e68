import { chromium } from 'playwright-core';
const b=await chromium.launch({executablePath:'/usr/bin/chromium',args:['--no-sandbox','--disable-gpu']});
const p=await (await b.newContext({viewport:{width:1280,height:800}})).newPage();
const errors=[]; p.on('pageerror',e=>errors.push(String(e))); let posts=0; p.on('request',r=>{if(r.method()!=='GET')posts++});
await p.goto(process.argv[2]); await p.waitForTimeout(2000);
await p.getByText('sample library',{exact:false}).first().click().catch(()=>{}); await p.waitForTimeout(4000);
await p.keyboard.type('How high is the tower?'); await p.keyboard.press('Enter'); await p.waitForTimeout(4000);
const names=['New question','Library','Notebooks','Tables','Settings','Search','How high is the tower'];
const tally={}; const end=Date.now()+Number(process.argv[3])*1000; let round=0;
const letters='abcdefghijklmnopqrstuvwxyz ';
while(Date.now()<end){
  const n=names[round++%names.length];
  const el=p.getByRole('link',{name:n}).or(p.getByRole('button',{name:n})).first();
  await el.click({timeout:3000}).catch(async()=>{await p.keyboard.press('Escape');});
  const text=Array.from({length:200},()=>letters[Math.floor(Math.random()*27)]).join('').replace(/  +/g,' ').trim();
  const before=posts, url=p.url();
  await p.keyboard.type(text); await p.waitForTimeout(300);
  const vals=await p.evaluate(()=>[...document.querySelectorAll('input,textarea,[contenteditable=true]')].map(e=>e.value??e.innerText));
  const kept=vals.some(v=>v&&v.replace(/\u00a0/g,' ').includes(text)); const t=tally[n]??={rounds:0,kept:0,fired:0,moved:0,box:0};
  t.rounds++; t.kept+=kept; t.box+=vals.length>0; t.fired+=posts>before; t.moved+=p.url()!==url;
  if(!kept&&vals.length&&t.miss===undefined) t.miss=vals.map(v=>(v||'').slice(0,60)).join(' | ')+' WANTED '+text.slice(0,40);
  await p.keyboard.press('Control+A'); await p.keyboard.press('Delete'); await p.keyboard.press('Escape');
}
console.log(JSON.stringify(tally,null,1), 'errors', errors.slice(0,5)); await b.close();
