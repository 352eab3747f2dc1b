// Places that no command line of this test meets.

export const ELSEWHERE: readonly { readonly file: string; readonly line: string; readonly why: string }[] = [];
