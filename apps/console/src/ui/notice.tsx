import type { ReactNode } from "react";
import { CircleAlert, CircleCheck, Info } from "./first-icons.generated.ts";

const kinds = {
  danger: { Icon: CircleAlert, look: "bg-danger-soft text-danger", role: "alert" },
  ok: { Icon: CircleCheck, look: "bg-ok-soft text-ok", role: "status" },
  info: { Icon: Info, look: "bg-sunken text-ink-2", role: "status" },
} as const;

/** A message in place; a screen reader announces it when it appears. */
export function Notice(props: { readonly kind: keyof typeof kinds; readonly children: ReactNode }) {
  const { Icon, look, role } = kinds[props.kind];
  return (
    <div role={role} className={`flex gap-2 rounded-control px-3 py-2 ${look}`}>
      <Icon size={16} aria-hidden="true" className="mt-0.5 shrink-0" />
      <div className="min-w-0 wrap-break-word">{props.children}</div>
    </div>
  );
}
