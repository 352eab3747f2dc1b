// Messages about descriptions, keys and headers that a command line names in place of a configuration.

import { configured, type HintCase, PETS } from './case.ts';

const KEYED = {
  ...JSON.parse(PETS),
  components: {
    securitySchemes: {
      api_key: { type: 'apiKey', in: 'header', name: 'X-Key' },
      bearer: { type: 'http', scheme: 'bearer' },
    },
  },
};
const BEARER = JSON.stringify({
  ...KEYED,
  components: { securitySchemes: { bearer: KEYED.components.securitySchemes.bearer } },
});
const COOKIE = JSON.stringify({
  ...KEYED,
  components: { securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'sid' } } },
});
const SERVERLESS = JSON.stringify({ ...JSON.parse(PETS), servers: [] });
const pets = { 'pets.json': PETS };
const keyed = { 'pets.json': JSON.stringify(KEYED) };

export const DESCRIBED: readonly HintCase[] = [
  { line: 'conform none.json', says: 'none.json cannot be read: there is no such file', hint: 'assay conform http' },
  { line: 'conform http://a:b@127.0.0.1:9/', says: 'has a user name or password', hint: '--key user:password' },
  { line: 'conform http://127.0.0.1:9/', says: 'ECONNREFUSED', hint: 'is the address right' },
  { line: 'conform a.json', files: { 'a.json': '<html>' }, says: 'this is HTML or XML', hint: 'give the file or URL' },
  { line: 'conform pets.json --embedded', files: pets, says: '--embedded and the description', hint: 'leave one' },
  { line: 'conform --contract a.yaml', says: '--contract goes with a description', hint: 'assay conform https' },
  { line: 'conform --key a', says: '--key goes with a description', hint: 'assay conform https' },
  {
    line: 'conform pets.json',
    files: { 'pets.json': SERVERLESS },
    says: 'nothing says where the target is',
    hint: 'assay conform pets.json --base-url',
  },
  { line: 'conform pets.json --base-url here', files: pets, says: '--base-url is not', hint: '--base-url http' },
  { line: 'conform pets.json --key a', files: pets, says: 'names no security scheme', hint: '--header' },
  { line: 'conform pets.json --key a', files: keyed, says: 'several security schemes', hint: '--key api_key=env:NAME' },
  { line: 'conform pets.json --key b=c', files: keyed, says: 'of the name before "="', hint: 'api_key, bearer' },
  { line: 'conform pets.json --key api_key=env:A-', files: keyed, says: 'no name of a variable', hint: '@FILE' },
  { line: 'conform pets.json --key api_key=', files: keyed, says: 'its value is empty', hint: '@FILE' },
  { line: 'conform pets.json --key api_key=ü', files: keyed, says: 'no ASCII character', hint: '@FILE' },
  { line: 'conform pets.json --key api_key=@none', files: keyed, says: 'none cannot be read (ENOENT)', hint: '@FILE' },
  { line: 'conform pets.json --key api_key=env:NONE', files: keyed, says: 'not set in the', hint: 'NONE=VALUE' },
  { line: 'conform pets.json --header a', files: keyed, says: 'no header', hint: "--header 'NAME: VALUE'" },
  {
    line: 'conform pets.json --header "Cookie: sid=1"',
    files: { 'pets.json': COOKIE },
    says: 'the cookie sid is a key',
    hint: '--key session=env:NAME',
  },
  {
    line: 'conform pets.json --header "Authorization: Token a"',
    files: { 'pets.json': BEARER },
    says: 'is sent as Authorization: Bearer',
    hint: '--key bearer=env:TOKEN',
  },
  { line: 'init --yes --key a', says: '--key goes with --description', hint: 'assay init --description' },
  {
    line: 'plan',
    files: {
      ...configured('target: { baseUrl: "http://127.0.0.1:9", headers: { X-Key: a } }'),
      'pets.json': JSON.stringify({ ...KEYED, security: [{ api_key: [] }] }),
    },
    says: 'target.headers.X-Key: the description sends its security scheme api_key in that header',
    hint: 'scheme: api_key',
  },
];
