# Dates and times: which of their parts are integers, and which are floats.
import _mc

MINYEAR = 1
MAXYEAR = 9999


class timedelta:
    def __init__(self, days=0, seconds=0, microseconds=0, milliseconds=0, minutes=0, hours=0, weeks=0):
        self.days = int(_mc.unknown())
        self.seconds = int(_mc.unknown()) % 86400
        self.microseconds = int(_mc.unknown()) % 1000000

    def total_seconds(self):
        return float(_mc.unknown())

    def __add__(self, other):
        return other + self if isinstance(other, date) else timedelta()

    def __radd__(self, other):
        return timedelta()

    def __sub__(self, other):
        return timedelta()

    def __neg__(self):
        return timedelta()

    def __abs__(self):
        return timedelta()

    def __mul__(self, number):
        return timedelta()

    def __rmul__(self, number):
        return timedelta()

    def __truediv__(self, other):
        return float(_mc.unknown()) if isinstance(other, timedelta) else timedelta()

    def __floordiv__(self, other):
        return int(_mc.unknown()) if isinstance(other, timedelta) else timedelta()

    def __mod__(self, other):
        return timedelta()

    def __lt__(self, other):
        return bool(_mc.unknown())

    def __le__(self, other):
        return bool(_mc.unknown())

    def __gt__(self, other):
        return bool(_mc.unknown())

    def __ge__(self, other):
        return bool(_mc.unknown())


class tzinfo:
    pass


class timezone(tzinfo):
    utc = None

    def __init__(self, offset=None, name=None):
        pass


class time:
    def __init__(self, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, fold=0):
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
        self.tzinfo = tzinfo

    def isoformat(self, timespec="auto"):
        return str(_mc.unknown())

    def strftime(self, format):
        return str(_mc.unknown())


class date:
    def __init__(self, year=None, month=None, day=None):
        self._set_date()

    def _set_date(self):
        self.year = int(_mc.unknown())
        self.month = int(_mc.unknown()) % 12 + 1
        self.day = int(_mc.unknown()) % 31 + 1

    @classmethod
    def today(cls):
        return cls()

    @classmethod
    def fromtimestamp(cls, timestamp, tz=None):
        return cls()

    @classmethod
    def fromisoformat(cls, text):
        return cls()

    @classmethod
    def fromordinal(cls, ordinal):
        return cls()

    def replace(self, **parts):
        return self.__class__()

    def weekday(self):
        return int(_mc.unknown()) % 7

    def isoweekday(self):
        return int(_mc.unknown()) % 7 + 1

    def toordinal(self):
        return int(_mc.unknown())

    def isoformat(self, *args, **kwargs):
        return str(_mc.unknown())

    def strftime(self, format):
        return str(_mc.unknown())

    def ctime(self):
        return str(_mc.unknown())

    def timetuple(self):
        return _mc.unknown()

    def isocalendar(self):
        return _mc.unknown()

    def __add__(self, other):
        return self.__class__()

    def __radd__(self, other):
        return self.__class__()

    def __sub__(self, other):
        return timedelta() if isinstance(other, date) else self.__class__()

    def __lt__(self, other):
        return bool(_mc.unknown())

    def __le__(self, other):
        return bool(_mc.unknown())

    def __gt__(self, other):
        return bool(_mc.unknown())

    def __ge__(self, other):
        return bool(_mc.unknown())


class datetime(date):
    def __init__(self, year=None, month=None, day=None, hour=0, minute=0, second=0, microsecond=0, tzinfo=None, fold=0):
        self._set_date()
        self.hour = int(_mc.unknown()) % 24
        self.minute = int(_mc.unknown()) % 60
        self.second = int(_mc.unknown()) % 60
        self.microsecond = int(_mc.unknown()) % 1000000
        self.tzinfo = tzinfo

    @classmethod
    def now(cls, tz=None):
        return cls()

    @classmethod
    def utcnow(cls):
        return cls()

    @classmethod
    def utcfromtimestamp(cls, timestamp):
        return cls()

    @classmethod
    def strptime(cls, text, format):
        return cls()

    @classmethod
    def combine(cls, date, time, tzinfo=None):
        return cls()

    def timestamp(self):
        return float(_mc.unknown())

    def date(self):
        return date()

    def time(self):
        return time()

    def timetz(self):
        return time()

    def astimezone(self, tz=None):
        return datetime()

    def utcoffset(self):
        return timedelta()
