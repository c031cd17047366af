import type { ReactNode } from "react";
import { useEffect } from "react";

/** A page with a heading, a sentence and a way to continue. */
export function MessagePage(props: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  useEffect(() => {
    document.title = props.title;
  }, [props.title]);
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div className="max-w-96">
        <h1 className="text-5 font-semibold">{props.title}</h1>
        <p className="mt-2 mb-4 text-ink-2">{props.text}</p>
        {props.children}
      </div>
    </main>
  );
}
