"""What people leave unsaid: needs and what meets them, and kinds of things by what they are or are for."""
