/** The look of an input in a row of columns. */
export const inputLook =
  "h-7 w-full min-w-0 rounded-control border border-line-input bg-surface px-2 font-mono text-2 text-ink placeholder:text-ink-3 focus-visible:outline-offset-0 aria-invalid:border-danger disabled:bg-sunken disabled:text-ink-2";
