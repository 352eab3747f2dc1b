// Makes a thing once for each other thing that it is made of, and gives the same again to whoever asks later.

/** The function, which is asked once for each first argument; what it makes is kept as long as that argument lives. */
export function oncePer<Of extends object, Made, Beside extends readonly unknown[]>(
  make: (of: Of, ...beside: Beside) => Made,
): (of: Of, ...beside: Beside) => Made {
  return kept(new WeakMap<Of, Made>(), make);
}

/** The same for texts and other values that do not live and die; as soon as there are more than `most`, all is made anew. */
export function oncePerValue<Of, Made, Beside extends readonly unknown[]>(
  make: (of: Of, ...beside: Beside) => Made,
  most = Number.POSITIVE_INFINITY,
): (of: Of, ...beside: Beside) => Made {
  const known = new Map<Of, Made>();
  return kept(known, (of, ...beside: Beside) => {
    const made = make(of, ...beside);
    if (known.size >= most) known.clear();
    return made;
  });
}

interface Memory<Of, Made> {
  has(of: Of): boolean;
  get(of: Of): Made | undefined;
  set(of: Of, made: Made): unknown;
}

function kept<Of, Made, Beside extends readonly unknown[]>(
  known: Memory<Of, Made>,
  make: (of: Of, ...beside: Beside) => Made,
): (of: Of, ...beside: Beside) => Made {
  return (of, ...beside) => {
    const before = known.get(of);
    if (before !== undefined || known.has(of)) return before as Made;
    const made = make(of, ...beside);
    known.set(of, made);
    return made;
  };
}
