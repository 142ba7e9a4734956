/** js/package.json, of which only the version goes into the script. */
declare module '*/package.json' {
  export const version: string;
}
