// Words the findings of the AUTH clauses, and the observations of them: who is let in.
import { plural } from '../contract/numbers.ts';
import { telling, type Words } from './sentences.ts';

/** The value that was sent instead of valid credentials ("no token"), and the answer to it. */
interface Instead {
  readonly sent: string;
  readonly actual: string;
  readonly expected: string;
}

interface Answered {
  readonly actual: string;
}

function instead(how: string): (values: Instead) => Words {
  return ({ sent, actual, expected }) => {
    const cause = `a request with ${sent} ${how}`;
    return { cause, message: `${cause}: answered ${actual}, expected ${expected}` };
  };
}

const accepted = instead('is accepted');

/** `status`: one that was expected, in words. */
function notRefused({ status, ...values }: Instead & { readonly status: string }): Words {
  return instead(`is not answered ${status}`)(values);
}

/** `subject`: the member that holds the code. */
interface OfCode extends Omit<Instead, 'actual'> {
  readonly subject: string;
}

function otherCode({ sent, subject, code, expected }: OfCode & { readonly code: string }): Words {
  return {
    cause: `a request with ${sent} is refused with another code`,
    message: `${subject} is ${code}, expected ${expected}`,
  };
}

function noCode({ sent, subject, expected }: OfCode): Words {
  return {
    cause: `a request with ${sent} is refused without a code`,
    message: `${subject} is absent, expected ${expected}`,
  };
}

function locked(how: (status: string) => string): (values: Answered & { readonly status: string }) => Words {
  return ({ actual, status }) => ({
    cause: how(status),
    message: `${how(status)}: answered ${actual}, expected ${status}`,
  });
}

const lockedOtherwise = locked((status) => `a locked account is not answered ${status}`);

function tokenDemanded({ actual }: Answered): Words {
  const cause = 'a public operation demands a token';
  return { cause, message: `${cause}: answered ${actual} without one` };
}

function allowed(what: string): (values: Answered) => Words {
  const cause = `another account can ${what} what an account created`;
  return ({ actual }) => ({ cause, message: `${cause}: answered ${actual}` });
}

/** The code and the words of a breach of an AUTH clause. */
export const auth = telling({
  'auth-01.accepted': accepted,
  'auth-01.deletes': ({ sent, actual, expected }: Instead) => {
    const cause = `a DELETE with ${sent} is carried out`;
    return { cause, message: `${cause}, on an object that was made for it: answered ${actual}, expected ${expected}` };
  },
  'auth-01.not-401': notRefused,
  'auth-01.other-status': notRefused,
  'auth-01.other-code': otherCode,
  'auth-01.no-code': noCode,
  'auth-01.alternative-refused': ({ names, actual }: Answered & { readonly names: string }) => ({
    cause: 'valid credentials that the description names are refused',
    message: `valid credentials for ${names}, which the description names: answered ${actual}`,
  }),
  'auth-02.accepted': accepted,
  'auth-02.not-401': notRefused,
  'auth-02.other-status': notRefused,
  'auth-02.other-code': otherCode,
  'auth-02.no-code': noCode,
  'auth-03.accepted': accepted,
  'auth-03.not-401': notRefused,
  'auth-03.other-status': notRefused,
  'auth-03.other-code': otherCode,
  'auth-03.no-code': noCode,
  'auth-04.served': locked(() => 'a locked account is served'),
  'auth-04.not-403': lockedOtherwise,
  'auth-04.other-status': lockedOtherwise,
  'auth-04.other-code': ({
    subject,
    actual,
    expected,
  }: Answered & { readonly subject: string; readonly expected: string }) => ({
    cause: 'a locked account is refused with another code',
    message: `${subject} is ${actual}, expected ${expected}`,
  }),
  'auth-05.key-refused': ({ key, actual }: Answered & { readonly key: string }) => ({
    cause: 'a valid key is refused',
    message: `key ${key}, accepted elsewhere, is answered ${actual} here`,
  }),
  'auth-05.service-refuses': ({ key, calls }: { readonly key: string; readonly calls: number }) => ({
    cause: 'a service refuses a key that others accept',
    message: `all ${plural(calls, 'operation')} called with key ${key} answered 403, while other services serve it`,
  }),
  'auth-06.token-demanded': tokenDemanded,
  /** A description that calls public what is not. */
  'spec-04.token-demanded': tokenDemanded,
  'auth-07.told-apart': ({ actual }: Answered) => observed('a stranger can tell whether a resource exists', actual),
  'auth-07.alike': ({ actual }: Answered) => observed('a stranger cannot tell whether a resource exists', actual),
  'auth-07.other-account-told-apart': ({ actual }: Answered) =>
    observed('another account can tell whether a resource exists that is not its own', actual),
  'auth-07.other-account-alike': ({ actual }: Answered) =>
    observed('another account cannot tell whether a resource exists that is not its own', actual),
  'auth-07.account-told-apart': ({ actual }: Answered) =>
    observed('a stranger can tell whether an email is registered', actual),
  'auth-07.account-alike': ({ actual }: Answered) =>
    observed('a stranger cannot tell whether an email is registered', actual),
  'auth-08.read-allowed': allowed('read'),
  'auth-08.change-allowed': allowed('change'),
  'auth-08.delete-allowed': allowed('delete'),
  'auth-08.listed': ({ shown }: { readonly shown: string }) => {
    const cause = 'another account sees in a list what an account created';
    return { cause, message: `${cause}: ${shown}` };
  },
});

function observed(cause: string, actual: string): Words {
  return { cause, message: `${cause} (${actual})` };
}
