import { useSyncExternalStore } from "react";

const query = "(width < 640px)";

/** Whether the window has the width of a phone, where rows are cards. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
    () => matchMedia(query).matches,
  );
}
