import { Lock } from "../../ui/icons.generated.ts";

/** Whether a resource accepts a method: open, or locked. */
export function MethodMark({ isExposed }: { readonly isExposed: boolean }) {
  if (!isExposed) return <Lock size={13} aria-hidden="true" className="text-ink-3" />;
  return (
    <span className="grid h-5 w-6 place-items-center rounded-full bg-ok-soft">
      <span aria-hidden="true" className="size-2 rounded-full bg-ok" />
    </span>
  );
}
