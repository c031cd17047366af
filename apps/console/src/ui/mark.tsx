/** The mark of the product: three row houses. It is decoration beside the name. */
export function Mark({ size = 24 }: { readonly size?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" className="text-brick">
      <g fill="currentColor">
        <path d="M1 20V9l3-4 3 4v11z" />
        <path d="M8.5 20V8l3.5-4 3.5 4v12z" />
        <path d="M17 20V9l3-4 3 4v11z" />
      </g>
    </svg>
  );
}
