import { type ReactNode, useRef } from "react";
import { ToolButton } from "../../ui/tool-button.tsx";

interface FileInputProps {
  readonly id?: string | undefined;
  /** The name of the button, if its content is none. */
  readonly label?: string;
  readonly kind?: "primary" | "plain";
  readonly isMany?: boolean;
  /** The media types that the dialog of the system offers. */
  readonly accept?: string | undefined;
  readonly describedBy?: string | undefined;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/** A button that chooses files of the computer. */
export function FileInput(props: FileInputProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <ToolButton
        id={props.id}
        kind={props.kind ?? "plain"}
        aria-label={props.label}
        aria-describedby={props.describedBy}
        onClick={() => input.current?.click()}
      >
        {props.children}
      </ToolButton>
      <input
        ref={input}
        type="file"
        tabIndex={-1}
        aria-hidden="true"
        multiple={props.isMany === true}
        accept={props.accept}
        className="hidden"
        onChange={({ target }) => {
          props.onFiles([...(target.files ?? [])]);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
    </>
  );
}
