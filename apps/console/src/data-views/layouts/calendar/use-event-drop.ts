import type { RefObject } from "react";
import { useDrop } from "react-aria-components";
import type { Day } from "../../../shell/time/zone.ts";
import { eventType } from "./event-chip.tsx";

/** Makes a day take events that are dragged from another one. */
export function useEventDrop(
  ref: RefObject<HTMLElement | null>,
  mayMove: boolean,
  onDropEvent: (id: string, from: Day) => void,
) {
  return useDrop({
    ref,
    isDisabled: !mayMove,
    getDropOperation: (types) => (types.has(eventType) ? "move" : "cancel"),
    onDrop: ({ items }) => {
      for (const item of items) {
        if (item.kind !== "text" || !item.types.has(eventType)) continue;
        void item.getText(eventType).then((text) => {
          const dropped = JSON.parse(text) as { readonly id: string; readonly day: Day };
          onDropEvent(dropped.id, dropped.day);
        });
      }
    },
  });
}
