// Stands in the ready configuration as `webhooks.trigger`: subscribes the receiver's address to the platform, which
// then delivers a few sample events. Arguments: the platform's address for subscriptions.
import { request } from 'undici';

const [, , subscriptions = ''] = process.argv;
const url = process.env.ASSAY_WEBHOOK_URL;

const answer = await request(subscriptions, { method: 'POST', body: JSON.stringify({ url }) });
await answer.body.dump();
if (answer.statusCode >= 300) {
  process.stderr.write(`the platform does not take the subscription: ${answer.statusCode}\n`);
  process.exitCode = 1;
}
