/** A statement that a press puts into the editor. */
export function StatementButton(props: {
  readonly text: string;
  readonly onChoose: (text: string) => void;
}) {
  return (
    <button
      type="button"
      className="w-full rounded-control border border-line bg-surface px-2.5 py-1.5 text-left hover:bg-sunken"
      onClick={() => props.onChoose(props.text)}
    >
      <span className="line-clamp-3 font-mono text-2 wrap-anywhere whitespace-pre-wrap">
        {props.text}
      </span>
    </button>
  );
}
