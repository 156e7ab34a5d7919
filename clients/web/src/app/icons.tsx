/** Small line drawings on a 20 px grid, in the colour of the text beside them. */
import type { ComponentChildren } from "preact";

function Icon({ children, size = 20 }: { children: ComponentChildren; size?: number | undefined }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 20 20"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const Back = () => (
  <Icon>
    <path d="M12.5 4.5 7 10l5.5 5.5" />
  </Icon>
);
export const Forward = () => (
  <Icon size={16}>
    <path d="M7.5 4.5 13 10l-5.5 5.5" />
  </Icon>
);
export const Again = () => (
  <Icon>
    <path d="M15.5 6.5A6.5 6.5 0 1 0 16.5 10" />
    <path d="M16 3.5v3.25h-3.25" />
  </Icon>
);
export const Gear = () => (
  <Icon>
    <circle cx="10" cy="10" r="2.4" />
    <path d="M8.6 3h2.8l.4 2 1.5.9 2-.7 1.4 2.4-1.5 1.4v2l1.5 1.4-1.4 2.4-2-.7-1.5.9-.4 2H8.6l-.4-2-1.5-.9-2 .7-1.4-2.4L4.8 11V9L3.3 7.6l1.4-2.4 2 .7L8.2 5z" />
  </Icon>
);
export const Question = () => (
  <Icon>
    <circle cx="10" cy="10" r="7" />
    <path d="M7.9 7.9a2.15 2.15 0 1 1 3.2 1.9c-.8.45-1.1.85-1.1 1.6M10 13.9v.1" />
  </Icon>
);
export const Dotted = () => (
  <Icon>
    <path d="M3 15.5v.01M5 12.3v.01M8 9.7v.01M11.5 8v.01" stroke-width="2" />
    <path d="M13.5 4.5 17 7.3l-3.2 3.2" />
  </Icon>
);
export const Undo = () => (
  <Icon>
    <path d="M7.5 4.5 4 8l3.5 3.5" />
    <path d="M4 8h7.5a4 4 0 0 1 0 8H9" />
  </Icon>
);
export const Check = () => (
  <Icon>
    <path d="m4.5 10.5 3.7 3.7 7.3-8" />
  </Icon>
);
export const Die = () => (
  <Icon>
    <rect x="3.5" y="3.5" width="13" height="13" rx="3" />
    <path d="M7 7v.01M13 7v.01M10 10v.01M7 13v.01M13 13v.01" stroke-width="2" />
  </Icon>
);
export const Close = () => (
  <Icon>
    <path d="m5 5 10 10M15 5 5 15" />
  </Icon>
);
export const Scroll = () => (
  <Icon>
    <path d="M4 5h12M4 10h12M4 15h8" />
  </Icon>
);
export const Sound = ({ on }: { on: boolean }) => (
  <Icon>
    <path d="M4 8v4h2.5L10 15V5L6.5 8z" />
    {on ? (
      <path d="M13 7.5a3.5 3.5 0 0 1 0 5M15.2 5.3a6.6 6.6 0 0 1 0 9.4" />
    ) : (
      <path d="m13 8 4 4m0-4-4 4" />
    )}
  </Icon>
);

/** The checker that stands for a side. */
export const Token = ({ side }: { side: 0 | 1 }) => (
  <svg
    class={side === 0 ? "token ivory" : "token ink"}
    viewBox="0 0 16 16"
    width="16"
    height="16"
    aria-hidden="true"
  >
    <circle class="edge" cx="8" cy="8" r="7" />
    {side === 1 && <circle class="ring" cx="8" cy="8" r="3.5" />}
  </svg>
);

/** Two sixes: 双陆, the double six. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 60 28" width="60" height="28" aria-hidden="true">
    {[1, 31].map((x) => (
      <g key={x}>
        <rect x={x} y="1" width="26" height="26" rx="6" fill="none" stroke="currentColor" stroke-width="2" />
        {[8, 18].map((dx) =>
          [7, 14, 21].map((y) => (
            <circle key={`${dx} ${y}`} cx={x + dx} cy={y} r="2.4" fill="currentColor" />
          )),
        )}
      </g>
    ))}
  </svg>
);
