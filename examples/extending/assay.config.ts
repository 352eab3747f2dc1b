// A configuration that brings checks and a reporter of its own:
//   ASSAY_TOKEN=… npx assay conform --config assay.config.ts --base-url http://127.0.0.1:8080
import { defineConfig } from 'assay';
import { chat } from './chat.ts';
import { cacheControl, operationIds } from './checks.ts';
import { metrics } from './metrics.ts';

export default defineConfig({
  target: { baseUrl: 'http://127.0.0.1:8080', environment: 'local' },
  contract: 'openapi',
  services: { shop: { spec: 'shop.openapi.yaml' } },
  // biome-ignore lint/suspicious/noTemplateCurlyInString: Assay takes it from the environment
  keys: [{ name: 'shop', plan: 'any', token: '${ASSAY_TOKEN}' }],
  checks: [cacheControl, operationIds],
  reporters: [metrics, chat],
});
