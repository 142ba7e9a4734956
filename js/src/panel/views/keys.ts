/** Whether a word is being composed: Enter and the arrows choose among its spellings then. */
export function isComposing(event: KeyboardEvent): boolean {
  // oxlint-disable-next-line typescript/no-deprecated -- Safari ends the composition before the key that ended it
  return event.isComposing || event.keyCode === 229;
}
