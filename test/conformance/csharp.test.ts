import { conformanceOf } from './conformance-of.ts';
import { conformanceLanguage } from './languages/csharp.ts';

conformanceOf(conformanceLanguage);
