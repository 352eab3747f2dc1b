// Places that no command line of this test meets, each with what keeps it from that and with the test that meets it another way.

export interface Elsewhere {
  readonly file: string;
  /** A piece of the line in the source; it stands in one line of the file. */
  readonly reads: string;
  readonly why: string;
  /** The test that meets it, and a piece of that test. */
  readonly metBy: { readonly file: string; readonly reads: string };
}

export const ELSEWHERE: readonly Elsewhere[] = [
  {
    file: 'src/cli/conform/prepare-within.ts',
    reads: 'ended.reject(new NoVerdict(',
    why: 'is said where a description is slow, or the user interrupts',
    metBy: {
      file: 'src/cli/conform/prepare-within.test.ts',
      reads: 'the time limit was reached while the run was prepared',
    },
  },
  {
    file: 'src/cli/init/questions.ts',
    reads: "throw new NoVerdict('assay init: interrupted",
    why: 'is said to somebody at a terminal',
    metBy: { file: 'src/cli/commands/init.test.ts', reads: 'interrupted, nothing is written' },
  },
  {
    file: 'src/grading/merge.ts',
    reads: "throw new MergeRefused('nothing to merge'",
    why: 'the command refuses a merge without runs before',
    metBy: { file: 'src/grading/merge.test.ts', reads: 'nothing to merge' },
  },
  {
    file: 'src/grading/merge.ts',
    reads: "if (differences(earlier, later) !== '') throw notOneRun(earlier, later)",
    why: 'the command refuses to go on from another run before anything is sent',
    metBy: { file: 'src/grading/merge.test.ts', reads: 'continued(' },
  },
];
