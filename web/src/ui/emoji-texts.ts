// The texts of the emoji picker: part of the code of the components that use them, because every screen with a text field can have it.
import { addTexts } from '@/i18n/i18n';
import en from '@/locales/en/emoji.json';
import fil from '@/locales/fil/emoji.json';

addTexts('emoji', { en, fil });
