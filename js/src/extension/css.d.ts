/** A style sheet as text: build.mjs minifies it and puts it into the script. */
declare module '*.css' {
  const text: string;
  export default text;
}
