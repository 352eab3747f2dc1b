// Words the findings of the SCH clauses: answers against the description's declarations.
import { telling, type Words } from './sentences.ts';

/** The found and the expected value, in words. */
interface Seen {
  readonly actual: string;
  readonly expected: string;
}

/** The request, in words: "a sound request". */
interface Answered {
  readonly sent: string;
  readonly status: number;
  readonly expected: string;
}

/** A keyword of the schema that a value breaks: `place` in the schema, "" for the body; `pointer` in the body. */
interface Broken {
  readonly keyword: string;
  readonly place: string;
  readonly pointer: string;
  readonly actual: string;
  /** The keyword's complaint about the value. */
  readonly problem: string;
}

/** A declared header. */
interface OfHeader {
  readonly name: string;
}

function placeInWords(pointer: string): string {
  return pointer === '' ? 'the body' : pointer;
}

/** The complaint about a value, without naming the value a second time. */
function withoutSubject(problem: string, subject: string): string {
  if (!problem.startsWith(`${subject} `)) return problem;
  return problem.slice(subject.length + 1).replace(/^is /, '');
}

function contentType(how: string): (seen: Seen) => Words {
  return ({ actual, expected }) => ({
    cause: `the content type is ${how}`,
    message: `the content type is ${actual}, expected ${expected}`,
  });
}

function undeclared({ status, expected }: Omit<Answered, 'sent'>): Words {
  return { cause: `the status ${status} is not declared`, message: `the status is ${status}, expected ${expected}` };
}

/** The words of a breach that only hostile input brought about. */
export function amidHostile({ cause, message }: Words): Words {
  return { cause: `${cause} (hostile input)`, message };
}

/** The words of an undeclared type in the refusals of an operation that the target does not have. */
export function notServed({ actual }: Pick<Seen, 'actual'>): Words {
  return {
    cause: 'the operation is described and not served',
    message: `the operation is described and not served: each sound call is answered 404, with the content type ${actual}`,
  };
}

export function brokenSchema({ keyword, place, pointer, actual, problem }: Broken): Words {
  return {
    cause: `${place === '' ? 'the body' : place} breaks "${keyword}" of its schema`,
    message: `${placeInWords(pointer)} is ${actual}: ${withoutSubject(problem, placeInWords(pointer))}`,
  };
}

/** The code and the words of a breach of an SCH clause. */
export const sch = telling({
  'sch-01.not-json': ({ actual, expected }: Seen) => ({
    cause: 'the body is not valid JSON',
    message: `${actual}, expected ${expected}`,
  }),
  'sch-01.breaks': brokenSchema,
  'sch-02.absent': contentType('absent'),
  'sch-02.undeclared': contentType('not declared'),
  'sch-03.empty': ({ status }: { readonly status: number }) => ({
    cause: 'a declared body is empty',
    message: `the body of the ${status} is empty, expected the declared body`,
  }),
  'sch-03.has-body': ({ status, actual }: { readonly status: number; readonly actual: string }) => ({
    cause: `a ${status} carries a body`,
    message: `the ${status} carries a body (${actual}), expected none`,
  }),
  'sch-04.absent': ({ name }: OfHeader) => ({
    cause: `the required header ${name} is absent`,
    message: `the header ${name} is absent, expected it: it is declared as required`,
  }),
  'sch-04.invalid': ({ name, actual, problem }: OfHeader & { readonly actual: string; readonly problem: string }) => ({
    cause: `the header ${name} does not validate`,
    message: `the header ${name} is ${actual}: ${problem}`,
  }),
  'sch-05.undeclared': undeclared,
  'sch-06.answered': ({ sent, status, expected }: Answered) => ({
    cause: `${sent} is answered ${status}`,
    message: `the status is ${status}, expected ${expected}`,
  }),
  'sch-06.now-and-then': ({ status, expected }: Omit<Answered, 'sent'>) => ({
    cause: `requests are answered ${status} now and then`,
    message: `the status is ${status}, expected ${expected}, and it is so now and then`,
  }),
  'sch-06.stays-503': ({ actual, expected }: Seen) => ({
    cause: 'a 503 stays after the retries',
    message: `the request is answered ${actual}, expected ${expected}`,
  }),
  'sch-07.unused-status': ({ status, expected }: Omit<Answered, 'sent'>) => ({
    cause: 'a status is used that the platform does not use',
    message: `the status is ${status}, expected ${expected}`,
  }),
  'sch-08.undeclared': undeclared,
  'sch-09.undescribed': ({ place, expected }: { readonly place: string; readonly expected: string }) => ({
    cause: `${place} is not described`,
    message: `${place} is not described, expected ${expected}`,
  }),
});
