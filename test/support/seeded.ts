import fc from 'fast-check';

// `npm test` tries the same every time: what fails there fails again. IOLENS_SEED asks for another seed; a full run draws one.
const { IOLENS_SEED: seed, IOLENS_TESTS: tests } = process.env;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
else if (tests !== 'full') fc.configureGlobal({ seed: 20_260_301 });
