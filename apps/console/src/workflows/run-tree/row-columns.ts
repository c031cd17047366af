/** The columns of the tree of a run: step, status, bar and duration. A narrow tree has no bars. */
export const rowColumns =
  "grid grid-cols-[minmax(0,1fr)_7rem_4.5rem] items-center gap-x-2 px-3 @2xl:grid-cols-[minmax(0,1fr)_7.5rem_minmax(6rem,22%)_5rem] @2xl:gap-x-3 @2xl:px-4";

/** The look of a bar's column. */
export const barColumn = "hidden @2xl:block";
