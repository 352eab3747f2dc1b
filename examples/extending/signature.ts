// Signs each request as a gateway in front of the target may demand it: an HMAC of method, path, query and body.
//   extend: [./signature.ts]
import { createHmac } from 'node:crypto';
import { defineExtension } from 'assay';

export default defineExtension({
  hooks: [
    {
      name: 'signature',
      beforeCall({ request: { method, path, query, body } }) {
        const secret = process.env.SIGNING_SECRET;
        if (secret === undefined) throw new Error('SIGNING_SECRET is not set');
        const signature = createHmac('sha256', secret)
          .update([method, path, query, body ?? ''].join('\n'))
          .digest('hex');
        return { headers: { 'X-Signature': signature } };
      },
    },
  ],
});
