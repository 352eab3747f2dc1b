// Says which character stands between the items of a list in each style that names one, for who writes lists and who reads them.

/** The characters by style; tabs are Swagger 2.0's alone. */
export const DELIMITERS: Readonly<Record<string, string>> = {
  spaceDelimited: ' ',
  pipeDelimited: '|',
  tabDelimited: '\t',
};
