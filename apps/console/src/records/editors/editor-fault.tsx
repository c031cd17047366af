import { type RefObject, useRef } from "react";
import { floatingClasses, useFloating } from "../../ui/use-floating.ts";

interface EditorFaultProps {
  readonly id: string;
  readonly text: string | undefined;
  /** In a cell there is no place below, so the fault floats beside it. */
  readonly isCell: boolean;
}

/** The fault of a value, below its editor. */
export function EditorFault({ id, text, isCell }: EditorFaultProps) {
  if (text === undefined) return null;
  if (isCell) return <FloatingFault id={id} text={text} />;
  return (
    <p id={id} className="mt-1 text-2 text-danger" role="alert">
      {text}
    </p>
  );
}

function FloatingFault({ id, text }: { readonly id: string; readonly text: string }) {
  const anchor = useRef<HTMLSpanElement>(null);
  const place = useFloating<HTMLParagraphElement>(
    anchor as RefObject<HTMLElement | null>,
    true,
    true,
  );
  return (
    <>
      <span ref={anchor} aria-hidden="true" className="pointer-events-none absolute inset-0" />
      <p
        id={id}
        ref={place}
        popover="manual"
        role="alert"
        className={`${floatingClasses} border-danger px-2 text-2 text-danger`}
      >
        {text}
      </p>
    </>
  );
}
