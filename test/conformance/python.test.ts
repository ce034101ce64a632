import { conformanceOf } from './conformance-of.ts';

await conformanceOf('python');
