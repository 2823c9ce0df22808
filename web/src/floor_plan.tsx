/** The floor of a scene: rooms, walls and passages, and doors with their leaves. */

export interface Floor {
  readonly rooms?: readonly { name: string; low: readonly number[]; high: readonly number[] }[];
  readonly doors?: readonly { name: string; at: readonly number[]; open?: boolean }[];
  readonly passages?: readonly (readonly [readonly number[], readonly number[]])[];
  /** Strips of floor and of walls, by their corners, where rooms are no rectangles. */
  readonly ground?: readonly Strip[];
  readonly walls?: readonly Strip[];
  readonly names?: readonly { name: string; at: readonly number[] }[];
}

type Strip = readonly [readonly number[], readonly number[]];
type Scale = (at: number) => number;

export function FloorPlan({ floor, x, y }: { floor: Floor; x: Scale; y: Scale }) {
  return (
    <g class="floor">
      <path class="ground" d={strips(floor.ground ?? [], x, y)} />
      <path class="walls" d={strips(floor.walls ?? [], x, y)} />
      {(floor.names ?? []).map((room, index) => (
        <text key={index} x={x(room.at[0]!)} y={y(room.at[1]!)} text-anchor="middle">
          {room.name}
        </text>
      ))}
      {(floor.rooms ?? []).map((room) => (
        <rect
          key={room.name}
          x={x(room.low[0]!)}
          y={y(room.high[1]!)}
          width={x(room.high[0]!) - x(room.low[0]!)}
          height={y(room.low[1]!) - y(room.high[1]!)}
        />
      ))}
      {(floor.passages ?? []).map(([one, other], index) => (
        <line key={index} class="passage" x1={x(one[0]!)} y1={y(one[1]!)} x2={x(other[0]!)} y2={y(other[1]!)} />
      ))}
    </g>
  );
}

/** The outline of rectangles as one path: a home has hundreds. */
function strips(all: readonly Strip[], x: Scale, y: Scale): string {
  return all
    .map(([low, high]) => `M${x(low[0]!)},${y(low[1]!)}H${x(high[0]!)}V${y(high[1]!)}H${x(low[0]!)}Z`)
    .join("");
}

/** Whether the wall that a door at *x* is in runs up and down: it is then the side of a room. */
export function standsUpright(floor: Floor, at: number): boolean {
  return (floor.rooms ?? []).some((room) => Math.abs(room.low[0]! - at) < 0.1 || Math.abs(room.high[0]! - at) < 0.1);
}

/** The leaf of a door around (0, 0), in its frame when it is shut, in the room when it is open. */
export function DoorLeaf({ open, upright }: { open: "open" | "shut" | "unknown" | null; upright: boolean }) {
  return (
    <g class={`leaf ${open ?? "unknown"}`} transform={upright ? "rotate(90)" : undefined}>
      <rect class="gap" x={-24} y={-4} width={48} height={8} />
      <path d={open === "open" ? "M-24,0 V-44" : "M-24,0 H24"} />
    </g>
  );
}
