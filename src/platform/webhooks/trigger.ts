// What the ready configuration names as `webhooks.trigger`: subscribes the receiver's address to the platform, which then
// delivers a few sample events. Arguments: the platform's address for subscriptions.
const [, , subscriptions = ''] = process.argv;
const url = process.env.ASSAY_WEBHOOK_URL;

const answer = await fetch(subscriptions, { method: 'POST', body: JSON.stringify({ url }) });
if (!answer.ok) {
  process.stderr.write(`the platform does not take the subscription: ${answer.status}\n`);
  process.exitCode = 1;
}
