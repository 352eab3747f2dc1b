// A client of the platform in TypeScript as it is written in a hurry: `assay client -- node examples/clients/wrong.ts` says what is wrong.
import { randomUUID } from 'node:crypto';

const { ASSAY_BASE_URL = '', ASSAY_TOKEN = '', ASSAY_TASK = '', ASSAY_STORE_ID = '' } = process.env;

type Answer = { id: string }[] & { data?: { id: string }[] };

async function call(method: string, path: string, body?: unknown): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    // Wrong: no content type without a body, a new key for each attempt, and redirects are followed.
    const response = await fetch(`${ASSAY_BASE_URL}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${ASSAY_TOKEN}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => null);
    if (response?.ok) return (await response.json()) as Answer;
    // Wrong: the whole answer is logged, and everything is tried six times, a second apart.
    console.error(response?.status, await response?.text());
    if (attempt === 6) throw new Error('gave up');
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

async function walk(path: string): Promise<void> {
  // Wrong: only the first page is read.
  const answer = await call('GET', path);
  for (const { id } of answer.data ?? answer) console.log(id);
}

if (ASSAY_TASK === 'read-store') await call('GET', `/api/v1/stores/${ASSAY_STORE_ID}`);
else if (ASSAY_TASK === 'walk-logs') await walk('/api/v1/auth/activity/logs');
else if (ASSAY_TASK === 'walk-notifications') await walk(`/api/v1/stores/${ASSAY_STORE_ID}/domains/notifications`);
else if (ASSAY_TASK === 'create-store') await call('POST', '/api/v1/stores', { name: 'Example store' });
else if (ASSAY_TASK === 'pay') await call('POST', '/api/v1/stores/process-payment', { amount: 1999 });
else process.exit(64);
